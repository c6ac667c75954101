(package_declaration (_) @namespace @ignore)
(package_declaration (_) @name) @definition.package
(import_declaration) @import
(import_declaration (identifier) @ignore)
(scoped_identifier name: (identifier) @ignore)

; Definitions
(class_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(record_declaration name: (identifier) @name) @definition.class
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @name) @definition.field))
(annotation_type_declaration name: (identifier) @name) @definition.annotation
(annotation_type_element_declaration type: (_) @type name: (identifier) @name) @definition.method
(enum_constant name: (identifier) @name) @definition.enum-member
(method_declaration type: (_) @type name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.constructor
(compact_constructor_declaration name: (identifier) @name) @definition.constructor
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @definition.constant

; Uses
(superclass (type_identifier) @reference.extends)
(superclass (generic_type (type_identifier) @reference.extends))
(superclass (scoped_type_identifier (_) @receiver (type_identifier) @reference.extends .))
(superclass (generic_type (scoped_type_identifier (_) @receiver (type_identifier) @reference.extends .)))
(super_interfaces (type_list (type_identifier) @reference.implements))
(super_interfaces (type_list (generic_type (type_identifier) @reference.implements)))
(super_interfaces (type_list (scoped_type_identifier (_) @receiver (type_identifier) @reference.implements .)))
(super_interfaces (type_list (generic_type (scoped_type_identifier (_) @receiver (type_identifier) @reference.implements .))))
(extends_interfaces (type_list (type_identifier) @reference.extends))
(extends_interfaces (type_list (generic_type (type_identifier) @reference.extends)))
(extends_interfaces (type_list (scoped_type_identifier (_) @receiver (type_identifier) @reference.extends .)))
(marker_annotation name: (identifier) @reference.annotation)
(annotation name: (identifier) @reference.annotation)
(object_creation_expression type: (type_identifier) @reference.new)
(object_creation_expression type: (generic_type (type_identifier) @reference.new))
(object_creation_expression type: (scoped_type_identifier (_) @receiver (type_identifier) @reference.new .))
(method_reference . (_) @receiver (identifier) @reference.member-call .)
(method_reference . (identifier) @reference.new "new")
(method_invocation !object name: (identifier) @reference.call)
(method_invocation object: (_) @receiver name: (identifier) @reference.member-call)
(scoped_type_identifier (_) @receiver (type_identifier) @reference.type .)
(type_identifier) @reference.type
(field_access object: [(identifier) (field_access)] @receiver field: (identifier) @reference.member)
(element_value_pair key: (identifier) @ignore)
(identifier) @reference.use

; What binds names
[(method_declaration) (constructor_declaration) (compact_constructor_declaration) (lambda_expression) (block) (for_statement) (enhanced_for_statement) (try_with_resources_statement) (catch_clause) (switch_block_statement_group) (switch_rule) (static_initializer)] @scope
[(class_declaration) (interface_declaration) (record_declaration)] @scope
(type_parameter (type_identifier) @local)
(formal_parameter type: (_) @type name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(catch_formal_parameter (catch_type (_) @type) name: (identifier) @local)
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @local))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local value: (object_creation_expression type: (_) @type)))
(enhanced_for_statement type: (_) @type name: (identifier) @local)
(resource type: (_) @type name: (identifier) @local)
(inferred_parameters (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(instanceof_expression right: (_) @type name: (identifier) @local)
(type_pattern (_) @type (identifier) @local)
(record_pattern_component (_) @type (identifier) @local)
