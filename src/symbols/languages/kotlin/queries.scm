; Definitions
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name) @definition.enum
(class_declaration (modifiers (class_modifier "annotation")) name: (identifier) @name) @definition.annotation
(class_declaration "interface" name: (identifier) @name) @definition.interface
(class_declaration name: (identifier) @name) @definition.class
(object_declaration name: (identifier) @name) @definition.object
(companion_object name: (identifier) @name) @definition.object
(companion_object !name "object" @name) @definition.object
(enum_entry (identifier) @name) @definition.enum-member
(type_alias type: (identifier) @name) @definition.type
(function_declaration name: (identifier) @name (function_value_parameters) . [(user_type) (nullable_type)] @type) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(secondary_constructor "constructor" @name) @definition.constructor
(class_parameter ["val" "var"] (identifier) @name [(user_type) (nullable_type)] @type) @definition.property
(class_parameter ["val" "var"] (identifier) @name) @definition.property
(property_declaration (variable_declaration (identifier) @name [(user_type) (nullable_type)] @type)) @definition.property
(property_declaration (variable_declaration (identifier) @name) (call_expression . (identifier) @type (#match? @type "^[A-Z]"))) @definition.property
(property_declaration (variable_declaration (identifier) @name)) @definition.property

; Imports and package
(package_header (qualified_identifier) @namespace)
(package_header (qualified_identifier (identifier) @ignore))
(import) @import
(import (identifier) @ignore)
(import (qualified_identifier (identifier) @ignore))

; Heritage
(class_declaration "interface" (delegation_specifiers (delegation_specifier (user_type (identifier) @reference.extends (#match? @reference.extends "^[A-Z]")))))
(delegation_specifier (constructor_invocation (user_type (identifier) @reference.extends (#match? @reference.extends "^[A-Z]"))))
(delegation_specifier (user_type (identifier) @reference.implements (#match? @reference.implements "^[A-Z]")))
(delegation_specifier (explicit_delegation (user_type (identifier) @reference.implements (#match? @reference.implements "^[A-Z]"))))

; Uses
(annotation (user_type (identifier) @reference.annotation (#match? @reference.annotation "^[A-Z]")))
(annotation (constructor_invocation (user_type (identifier) @reference.annotation (#match? @reference.annotation "^[A-Z]"))))
(file_annotation (constructor_invocation (user_type (identifier) @reference.annotation (#match? @reference.annotation "^[A-Z]"))))
(call_expression . (identifier) @reference.new (#match? @reference.new "^[A-Z]"))
(call_expression . (identifier) @reference.call)
(call_expression . (navigation_expression . _ @receiver (identifier) @reference.member-call .))
(navigation_expression . (identifier) @receiver (identifier) @reference.member .)
(navigation_expression . (identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(callable_reference (identifier) @reference.use)
(user_type (identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(value_argument . (identifier) @ignore . "=")
(identifier) @reference.use

; What binds names
[(function_declaration) (secondary_constructor) (anonymous_function) (lambda_literal) (block) (for_statement) (when_expression) (catch_block) (getter) (setter) (class_declaration) (type_alias)] @scope
(parameter (identifier) @local [(user_type) (nullable_type)]? @type)
(lambda_parameters (variable_declaration (identifier) @local [(user_type) (nullable_type)]? @type))
(multi_variable_declaration (variable_declaration (identifier) @local))
(block (property_declaration (variable_declaration (identifier) @local [(user_type) (nullable_type)] @type)))
(block (property_declaration (variable_declaration (identifier) @local) (call_expression . (identifier) @type (#match? @type "^[A-Z]"))))
(block (property_declaration (variable_declaration (identifier) @local)))
(lambda_literal (property_declaration (variable_declaration (identifier) @local) (call_expression . (identifier) @type (#match? @type "^[A-Z]"))))
(lambda_literal (property_declaration (variable_declaration (identifier) @local [(user_type) (nullable_type)]? @type)))
(for_statement (variable_declaration (identifier) @local))
(when_subject (variable_declaration (identifier) @local))
(catch_block (identifier) @local (user_type) @type)
(type_parameter (identifier) @local)
